/** Makes a canvas as large as its place, sharp on any screen, and empties it. */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): { readonly context: CanvasRenderingContext2D; readonly width: number } {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser cannot draw');
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  context.scale(ratio, ratio);
  context.clearRect(0, 0, width, height);
  return { context, width };
}
