/** What the reader opens in the uploads of a race. A single script contains all these parts. */
export { takeBackPoint } from '../points/take-back-point.ts';
export { ChosenFile } from '../send-file/chosen-file.tsx';
export { Changes } from './changes-of-upload.tsx';
export { takeBack } from './take-back.ts';
