import { Hono } from 'hono';

/** What requests are held against that ask the API something: a route that does nothing. */
export default new Hono().get('/', (c) => c.json({}));
