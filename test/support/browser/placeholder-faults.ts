import type { Page } from 'playwright-core';

/** WCAG 2.2, 1.4.3, for normal text. */
const LEAST_CONTRAST = 4.5;

/** Returns the placeholders in sight without enough contrast, which axe does not check. */
export function placeholderFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(${findFaults})(${LEAST_CONTRAST})`);
}

/** For the browser. */
const findFaults = `(least) => {
  const parse = (color) => {
    const [red, green, blue, alpha = 1] = color.match(/[\\d.]+/g).map(Number);
    return { channels: [red, green, blue], alpha };
  };
  const over = (front, back) => front.channels.map((each, index) => each * front.alpha + back[index] * (1 - front.alpha));
  const backgroundOf = (element) => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.channels : over(own, backgroundOf(element.parentElement));
  };
  const luminance = (channels) => {
    const [red, green, blue] = channels.map((each) => {
      const part = each / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return [...document.querySelectorAll('input[placeholder], textarea[placeholder]')]
    .filter((each) => each.checkVisibility() && each.value === '' && each.placeholder !== '' && !each.disabled)
    .flatMap((each) => {
      const { color, opacity } = getComputedStyle(each, '::placeholder');
      const background = backgroundOf(each);
      const text = parse(color);
      const shown = over({ ...text, alpha: text.alpha * Number(opacity) }, background);
      const [dark, bright] = [luminance(shown), luminance(background)].sort((a, b) => a - b);
      const contrast = (bright + 0.05) / (dark + 0.05);
      return contrast < least ? [\`placeholder "\${each.placeholder}": contrast \${contrast.toFixed(2)}\`] : [];
    });
}`;
