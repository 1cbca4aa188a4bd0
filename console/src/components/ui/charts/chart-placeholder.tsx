/** The height of the line above a chart that shows its legend, or the values under the pointer. */
export const readoutHeight = 20;

/** An element of the height of a chart, shown until the chart is loaded, so that nothing moves then. */
export const ChartPlaceholder = ({ height }: { height: number }) => <div style={{ height }} />;
