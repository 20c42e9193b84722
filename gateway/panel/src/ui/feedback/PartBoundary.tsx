import { Box, Button, Text, Title } from '@mantine/core';
import { Component, type ReactNode, useEffect } from 'react';
import { useConnection } from '../../api/live/connection.ts';
import { useWords } from '../../text/section.ts';
import { uiText } from '../ui-text.ts';
import { PartNotLoaded } from './lazy-part.ts';
import { reloadByItself, reloadIfReachable } from './reload.ts';

interface PartBoundaryProps {
  children: ReactNode;
  /** Tries again when it changes, such as when the user opens another page. */
  resetKey?: string;
}

/** Shows an error in place of `children` that cannot be shown, so that the rest of the panel stays usable. */
export class PartBoundary extends Component<PartBoundaryProps, { failure: { error: unknown } | undefined }> {
  override state: { failure: { error: unknown } | undefined } = { failure: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  override componentDidUpdate({ resetKey }: PartBoundaryProps): void {
    if (this.state.failure && resetKey !== this.props.resetKey) this.setState({ failure: undefined });
  }

  override render(): ReactNode {
    const { failure } = this.state;
    return failure ? <FailedPart error={failure.error} /> : this.props.children;
  }
}

function FailedPart({ error }: { error: unknown }) {
  const t = useWords(uiText);
  const connection = useConnection();
  const isMissing = error instanceof PartNotLoaded;
  useEffect(() => {
    // Loading again also gets the parts of a new version.
    if (isMissing && connection !== 'lost') void reloadByItself();
  }, [isMissing, connection]);
  return (
    <Box p="md" maw={640} role="alert">
      <Title order={2}>{t(isMissing ? 'notLoaded' : 'broken')}</Title>
      <Text size="sm" my="xs">
        {t(isMissing ? 'notLoadedHelp' : 'brokenHelp')}
      </Text>
      {!isMissing && (
        <Text size="sm" c="dimmed" my="xs" style={{ overflowWrap: 'anywhere' }}>
          {String(error)}
        </Text>
      )}
      <Button variant="default" onClick={() => void reloadIfReachable()}>
        {t('reload')}
      </Button>
    </Box>
  );
}
