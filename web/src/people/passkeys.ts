// Passkeys: asks the browser for one, and translates between its binary values and the server's JSON.

import { credentials } from '../browser/features';
import type { PasskeyAnswer, PasskeyChallenge } from '../protocol/messages';

/** Whether browsers allow passkeys on this page: they need https or `localhost`. */
export const hasPasskeys = (): boolean => isSecureContext && 'PublicKeyCredential' in window;

interface CreationJson extends Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials?: { id: string; type: 'public-key' }[];
}
interface RequestJson extends Omit<PublicKeyCredentialRequestOptions, 'challenge' | 'allowCredentials'> {
  challenge: string;
}

/** Make a passkey for a challenge. Return null if the player has called it off. */
export async function makePasskey({ challenge, options }: PasskeyChallenge): Promise<PasskeyAnswer | null> {
  const json = JSON.parse(options) as CreationJson;
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...json,
    challenge: decode(json.challenge),
    user: { ...json.user, id: decode(json.user.id) },
    excludeCredentials: (json.excludeCredentials ?? []).map((each) => ({ ...each, id: decode(each.id) })),
  };
  return answer(challenge, () => credentials().create({ publicKey }));
}

/** Let the player choose a passkey for a log-in. Return null if they have called it off. */
export async function usePasskey({ challenge, options }: PasskeyChallenge): Promise<PasskeyAnswer | null> {
  const json = JSON.parse(options) as RequestJson;
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...json,
    challenge: decode(json.challenge),
    allowCredentials: [],
  };
  return answer(challenge, () => credentials().get({ publicKey }));
}

async function answer(challenge: string, ask: () => Promise<Credential | null>): Promise<PasskeyAnswer | null> {
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? { challenge, credential: encodeCredential(credential) } : null;
  } catch (error) {
    // The player closed the browser's dialog, or took too long.
    if (error instanceof DOMException && ['NotAllowedError', 'AbortError', 'InvalidStateError'].includes(error.name))
      return null;
    throw error;
  }
}

function encodeCredential({ id, rawId, type, response }: PublicKeyCredential): string {
  const parts: Record<string, ArrayBuffer | null> = { clientDataJSON: response.clientDataJSON };
  if (response instanceof AuthenticatorAttestationResponse) parts.attestationObject = response.attestationObject;
  if (response instanceof AuthenticatorAssertionResponse) {
    const { authenticatorData, signature, userHandle } = response;
    Object.assign(parts, { authenticatorData, signature, userHandle });
  }
  const texts = Object.entries(parts).flatMap(([name, value]) => (value ? [[name, encode(value)] as const] : []));
  return JSON.stringify({ id, rawId: encode(rawId), type, response: Object.fromEntries(texts) });
}

function encode(value: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(value)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(text: string): ArrayBuffer {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0)).buffer;
}
