import { LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import type { ListSize } from '../summary/list-history.ts';

/** The list over a year, as an SVG element. */
export function listChart(history: ListSize[]): string {
  use([LineChart, GridComponent, SVGRenderer]);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: 760, height: 280 });
  chart.setOption({
    animation: false,
    grid: { left: 48, right: 16, top: 16, bottom: 32 },
    xAxis: { type: 'time' },
    yAxis: { type: 'value', min: 0, minInterval: 1 },
    series: [
      {
        type: 'line',
        showSymbol: false,
        lineStyle: { width: 2 },
        areaStyle: { opacity: 0.15 },
        color: '#0d6b60',
        data: history.map(({ day, people }) => [day, people]),
      },
    ],
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}
