import { getOrganization } from '../../client/operations/get-organization.ts';
import { isUuid } from '../address.ts';
import { type Api, ask, createApi, type Failure, type Organization } from '../api.ts';
import { askFirst } from '../first.ts';
import { failureIn } from '../page.ts';
import {
  claimsOf,
  forgetSession,
  isOther,
  keepReturn,
  keepSession,
  keptSession,
} from '../session.ts';
import { takeTyped } from '../typed.ts';

/** A reader with a session. */
export interface Signed {
  readonly organization: Organization;
  readonly api: Api;
  readonly userId: string;
  /** A link into another organization, which waits for the reader's answer: a stranger may have made the link. */
  readonly link?: Link;
}

/** The content of the sign-in. */
export interface Refused {
  /** The organization of the last session, or of the link. */
  readonly organization: string;
  readonly failure?: Failure;
}

export interface Credentials {
  readonly organization: string;
  readonly token: string;
}

export interface Link extends Credentials {
  /** The address in the link to which the reader returns. */
  readonly returnTo: string;
}

const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const isToken = (text: string) => JWT.test(text);

/**
 * Signs in with the session in the address, and removes the session from the address at once; or with the kept session.
 */
export async function enterFromLink(): Promise<Signed | Refused> {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const link: Link = {
    organization: fragment.get('organization') ?? '',
    token: fragment.get('token') ?? '',
    returnTo: fragment.get('return_to') ?? '',
  };
  if (location.hash) history.replaceState(null, '', location.pathname + location.search);
  const kept = keptSession();
  if (link.token === '') return kept ? enter(kept) : { organization: '' };
  if (kept && isOther(link, kept.organization)) {
    const present = await enter(kept);
    if (isSigned(present)) return { ...present, link };
    // Without an answer, the session is still kept.
    if (keptSession()) return present;
  }
  forgetSession();
  return enter(link, link.returnTo);
}

/**
 * Signs in. After signing in again, the user finds the fields typed before the last session ended.
 * @param returnTo the address in the link to which the reader returns
 */
export async function enter(
  { organization, token }: Credentials,
  returnTo?: string,
): Promise<Signed | Refused> {
  if (!(isUuid(organization) && isToken(token))) return { organization };
  const api = createApi(organization, token);
  askFirst({ organization, token });
  try {
    const found = await ask(() => getOrganization(api.client, api.organization));
    if (returnTo !== undefined) keepReturn(returnTo, token);
    keepSession({ organization, token });
    const userId = String(claimsOf(token).sub);
    const address = takeTyped(found.id, userId);
    if (address && location.search === '') history.replaceState(null, '', `/panel${address}`);
    return { organization: found, api, userId };
  } catch (error) {
    const failure = failureIn(error);
    if (['signedOut', 'forbidden', 'notFound'].includes(failure.kind)) forgetSession();
    return { organization, failure };
  }
}

export const isSigned = (entered: Signed | Refused): entered is Signed => 'api' in entered;
