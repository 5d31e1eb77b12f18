/** Limits of the API for forms. The build of the pages writes their values into the scripts. */
declare const KEY_NAME_MAX: number;
declare const POINT_LENGTH_MAX: number;
declare const REASON_MAX: number;
