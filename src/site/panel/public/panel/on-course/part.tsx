/** Who is on the course of a race: the list, the speaker's page, and the line in the head of the race. */
export { OnCourse } from './list.tsx';
export { Progress } from './progress.tsx';
export { Speaker } from './speaker.tsx';
