/** A registration's id as 32 hexadecimal digits, and the time at the point in ms. */
export type Passing = { id: string; time_ms: number };

/** The runners of a race who passed a point in a span of `SPAN_MS`. The number counts the spans since the gun. */
export type Span = [number: number, passed: number, fastestMs: number, slowestMs: number];

/** A point of a race, with the first and the last runners at the point. */
type CoursePoint = {
  /** Null: a told point on the course of all distances. */
  distance: string | null;
  point: string;
  /** 0: a told point. A further item has the passings of the point, if any. */
  passed: number;
  /** In order of time, without empty spans. */
  spans: Span[];
  first: Passing[];
  latest: Passing[];
  /** From the start, if the organization said it. */
  km: number | null;
};

/** The points of an event: first those that the organization told, in their order, then by their fastest times. */
export type Course = readonly CoursePoint[];

/** Reads the document of `selectCourse`. */
export const readCourse = (text: string): Course => JSON.parse(text);
