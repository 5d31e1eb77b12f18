import type { ApiKeyWithSecret, OrganizationEvent } from '../api.ts';
import { isolated, textOfKeys as text, timeInZone, timeWithZone } from '../formats.ts';

/** The guide for the work of a key. */
const guideOf = (scopes: ApiKeyWithSecret['scopes']) => {
  if (scopes.includes('results:write')) return 'live-folder';
  return scopes.includes('participants:read') ? 'crm' : 'own-site';
};

/**
 * A text for the receiver of a key: the race, the permissions, the end and the addresses. The text has no secret.
 * @param race the only race of the key
 * @param origin the address of the API
 */
export function letterOf(
  { key_prefix, scopes, expires_at }: Omit<ApiKeyWithSecret, 'api_key'>,
  race: Pick<OrganizationEvent, 'id' | 'name' | 'event_date' | 'time_zone'> | undefined,
  origin: string,
) {
  const prefix = key_prefix;
  const what = scopes.map((scope) => text(`scope.${scope}.stops`)).join('; ');
  const when = race && timeInZone(race.event_date, race.time_zone);
  return [
    race
      ? text('letter.race', { race: isolated(race.name), when: when ?? '', prefix })
      : text('letter.all', { prefix }),
    text('letter.can', { what }),
    expires_at
      ? text('letter.ends', { when: timeWithZone(new Date(expires_at)) })
      : text('letter.never'),
    text('letter.address', { address: origin }),
    ...(race ? [text('letter.event', { id: race.id })] : []),
    text('letter.header'),
    text('letter.guide', { address: `${origin}/docs/${guideOf(scopes)}` }),
  ].join('\n');
}
