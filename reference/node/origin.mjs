// Whom the control binding listens to. A web page can make the browser of a developer send requests to this machine;
// none of them may drive the server.

import { isIP } from 'node:net';
import { Refusal } from './refusal.mjs';

/** Refuses a body that is not said to be JSON, a foreign Origin, and a Host that is somebody else's name. */
export function checkOrigin({ headers }, knownHosts) {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  const type = (headers['content-type'] ?? '').split(';')[0].trim().toLowerCase();
  if (hasBody && type !== 'application/json') throw new Refusal(415, 'a body needs the Content-Type application/json');
  const host = (headers.host ?? '').toLowerCase();
  if (headers.origin !== undefined && hostOf(headers.origin) !== host) {
    throw new Refusal(403, 'control calls from pages of another origin are refused');
  }
  if (!isOwn(host, knownHosts)) {
    throw new Refusal(403, 'control calls need an address or a known name as their Host; see ALLOW_HOST');
  }
}

function hostOf(origin) {
  return origin.replace(/^https?:\/\//i, '').toLowerCase();
}

// A name that somebody else can make lead here is none of ours; an address is.
function isOwn(host, knownHosts) {
  const name = host.replace(/:\d+$/, '').replace(/^\[|\]$/g, '').replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost') || isIP(name) !== 0 || knownHosts.includes(name);
}
