import type { OnCourse } from '../../../../../worker/results/panel-answer-schemas.ts';

/** The speaker's page reads so many pages of the runners behind each point. */
const PAGES_MAX = 3;

/** Asks for a page of the runners on the course. */
export type Ask = (query: {
  last_point?: string;
  page?: number;
  page_size?: number;
}) => Promise<OnCourse>;

/** Reads pages of the runners on the course. @param point the last point of the runners; blank for all */
export async function readPages(ask: Ask, point: string, pages: number): Promise<OnCourse> {
  const of = (page: number) => ask({ page, ...(point && { last_point: point }) });
  const first = await of(1);
  const data = [...first.data];
  for (let page = 2; page <= Math.min(pages, first.meta.total_pages); page++) {
    data.push(...(await of(page)).data);
  }
  return { ...first, data };
}

/** Reads the runners who come next at some point: all of a small field, else the first runners behind each point. */
export async function readComing(ask: Ask): Promise<OnCourse> {
  const first = await ask({});
  if (first.meta.total_pages <= 1) return first;
  const data: OnCourse['data'] = [];
  for (const { point } of first.progress.points) {
    data.push(...(await readPages(ask, point, PAGES_MAX)).data);
  }
  return { ...first, data };
}
