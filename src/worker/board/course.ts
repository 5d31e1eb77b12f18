/** A registration's id as 32 hexadecimal digits, and the time at the point in ms. */
export type Passing = { id: string; time_ms: number };

/** A point of a race, with the first and the last runners at the point. */
type CoursePoint = {
  distance: string;
  point: string;
  passed: number;
  /** How many passed in each span of `SPAN_MS`, in their order: the number of the span, and their count. */
  spans: [number: number, passed: number][];
  first: Passing[];
  latest: Passing[];
  /** From the start, if the organization said it. */
  km: number | null;
};

/** The points of an event: first those that the organization told, in their order, then by their fastest times. */
export type Course = readonly CoursePoint[];

/** Reads the document of `selectCourse`. */
export const readCourse = (text: string): Course => JSON.parse(text);
