// QR codes, drawn in the page: the link of an invitation opens a seat, so no server may see it.

import qrcode from 'qrcode-generator';

/** Width of the empty edge around a code, in modules (ISO/IEC 18004). */
export const EDGE = 4;

/** Return the dark modules of a text's QR code, row by row. */
export function makeCode(text: string): boolean[][] {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const numbers = Array.from({ length: code.getModuleCount() }, (_, index) => index);
  return numbers.map((row) => numbers.map((column) => code.isDark(row, column)));
}

/** Return the outline of the dark modules as an SVG path, one unit a module. */
export function drawCode(modules: readonly boolean[][]): string {
  return modules.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + EDGE} ${y + EDGE}h1v1h-1z` : ''))).join('');
}
