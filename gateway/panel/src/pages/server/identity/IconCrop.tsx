import { Box, Group, Slider, Stack, Text } from '@mantine/core';
import { type RefObject, useState } from 'react';
import Cropper from 'react-easy-crop';
import { useWords } from '../../../text/section.ts';
import { type ChosenImage, drawIcon, ICON_SIZE } from './icon-image.ts';
import { iconText } from './icon-text.ts';

const MAX_ZOOM = 5;
/** Of the visible part, at each press of an arrow key. Pixels on the screen. */
const STEP = 8;

export interface IconCropProps {
  image: ChosenImage;
  /** Gets the visible part, as large as the icon. */
  canvas: RefObject<HTMLCanvasElement | null>;
  onDrawn: () => void;
}

/** Lets the user choose a square of an image, by mouse, finger or keyboard, and shows it as the icon. */
export function IconCrop({ image, canvas, onDrawn }: IconCropProps) {
  const t = useWords(iconText);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  return (
    <Stack>
      <Box pos="relative" h={260}>
        <Cropper
          image={image.url}
          crop={crop}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          keyboardStep={STEP}
          mediaProps={{ alt: '' }}
          cropperProps={{ role: 'application', 'aria-label': t('crop') }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_shares, part) => {
            if (!canvas.current) return;
            drawIcon(canvas.current, image.element, part);
            onDrawn();
          }}
        />
      </Box>
      <Group wrap="nowrap" gap="lg">
        <canvas
          ref={canvas}
          className="icon-preview"
          width={ICON_SIZE}
          height={ICON_SIZE}
          role="img"
          aria-label={t('preview')}
        />
        <Box flex={1}>
          <Text size="sm" mb={4}>
            {t('zoom')}
          </Text>
          <Slider
            min={1}
            max={MAX_ZOOM}
            step={0.1}
            label={null}
            thumbLabel={t('zoom')}
            value={zoom}
            onChange={setZoom}
          />
        </Box>
      </Group>
    </Stack>
  );
}
