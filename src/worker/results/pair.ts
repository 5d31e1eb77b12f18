import { requireScope } from '../auth/api-key/require-scope.ts';
import { requireManager } from '../auth/panel/require-manager.ts';
import type { Statement } from '../db/statement.ts';
import type { AppEnv } from '../http/context.ts';
import type { Endpoint, OperationHandler } from '../http/endpoint.ts';
import { Hono } from '../http/hono.ts';
import type { Scope } from '../scopes.ts';
import type { SenderKind } from './sender.ts';

/** Two operations with a common endpoint, for the holders of keys and for the panel. */
export type Pair<KeyId extends string = string, PanelId extends string = string> = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Behind the event, for both. */
  path: `/${string}`;
  ids: { key: KeyId; member: PanelId };
  handlers: { key: OperationHandler<KeyId>; member: OperationHandler<PanelId> };
};

/** Makes both operations of an endpoint. `ids` are their names. */
export const pair = <
  const KeyId extends string,
  const PanelId extends string,
  P,
  Q,
  H,
  B,
  const S extends readonly Statement[],
>({
  scope,
  endpoint,
  ...at
}: Pick<Pair<KeyId, PanelId>, 'method' | 'path' | 'ids'> & {
  scope: Scope;
  endpoint: (by: SenderKind) => Endpoint<unknown, P, Q, H, B, S>;
}): Pair<KeyId, PanelId> => ({
  ...at,
  handlers: {
    key: requireScope(at.ids.key, scope, endpoint('key')),
    member: requireManager(at.ids.member, endpoint('member')),
  },
});

/** The ids of these pairs: the operations of a sender, or of both. */
export type PairIdOf<
  Pairs extends readonly Pair[],
  By extends SenderKind = SenderKind,
> = Pairs[number]['ids'][By];

/** The routes of a sender, behind the path of an event. */
export const routesOfPairs = (pairs: readonly Pair[], by: SenderKind): Hono<AppEnv> => {
  const routes = new Hono<AppEnv>();
  for (const { method, path, handlers } of pairs) routes.on(method, path, handlers[by]);
  return routes;
};
