declare const RACE_RESULTS_VERSION: string | undefined;

/** The build writes the version of the project into the program. */
export const version = (): string =>
  typeof RACE_RESULTS_VERSION === 'string' ? RACE_RESULTS_VERSION : 'development';
