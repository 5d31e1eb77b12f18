import type { OrganizationEvent } from '../api.ts';
import { CoursePoints, usePoints } from '../points/points.tsx';
import { SendFile } from '../send-file/send-file.tsx';
import { PassingUploads } from './passing-uploads.tsx';
import { Uploads } from './uploads.tsx';

/** The part of a race with the file to send, the uploads and the points of the course. */
export function UploadsPart({ race }: { race: OrganizationEvent }) {
  const points = usePoints(race);
  return (
    <>
      <SendFile race={race} points={points} />
      <Uploads race={race} />
      <CoursePoints race={race} points={points} />
      {points.value && <PassingUploads race={race} points={points} />}
    </>
  );
}
