/** A picture in SVG as PNG, at twice its size for sharp screens. The library for pictures is loaded for this alone. */
export async function drawPng(svg: string): Promise<Buffer> {
  const { default: sharp } = await import("sharp");
  return sharp(Buffer.from(svg), { density: 144 }).png().toBuffer();
}
