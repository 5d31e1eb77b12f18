/** Prices in dollars, each with the page and the day on which it was read. */
export const PRICES = {
  cloudflare: {
    page: 'https://developers.cloudflare.com/workers/platform/pricing/',
    readOn: '2026-11-22',
    /** The Paid plan a month. It includes 10 million requests and 30 million ms. */
    month: 5,
    millionRequests: 0.3,
    millionCpuMs: 0.02,
  },
  upstash: {
    page: 'https://upstash.com/pricing/redis',
    readOn: '2026-11-09',
    /** A command counts, and so does each command in a script. */
    millionCommands: 2,
    fixedMonth: 10,
    fixedCommandsPerSecond: 10_000,
  },
  neon: {
    page: 'https://neon.com/docs/introduction/plans',
    readOn: '2026-11-12',
    computeHour: 0.106,
    gigabyteOut: 0.1,
  },
} as const;
