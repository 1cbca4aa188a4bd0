import { encode } from 'uqr';

/** Scanners need a light edge of four modules. */
const edge = 4;

/** A QR code, dark on white in both themes: not every scanner reads it the other way round. */
export function QrCode({ text, label, className }: { text: string; label: string; className?: string | undefined }) {
  const { size, data } = encode(text, { border: edge });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={modules.join('')} />
    </svg>
  );
}
