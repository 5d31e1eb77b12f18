import { Hono } from 'hono';

/** A route without work. The route is the floor of requests. */
export default new Hono().get('/', (c) => c.json({}));
