// The master's REST interface, and its stream of events.

const KEY = 'moonpool.admin_token';

/** A refusal of the master: its sentence says what to do. */
export class Refusal extends Error {
  constructor(status, body) {
    super(body?.message ?? `the master answered with status ${status}`);
    this.status = status;
    this.error = body?.error ?? '';
  }
}

export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export function setToken(token) {
  if (token) {
    sessionStorage.setItem(KEY, token);
  } else {
    sessionStorage.removeItem(KEY);
  }
}

async function send(path, options) {
  const headers = new Headers(options.headers);
  const token = sessionStorage.getItem(KEY);
  if (token) {
    headers.set('Authorization', `Bearer ${token}`);
  }
  const response = await fetch(path, {
    ...options, headers, cache: 'no-store', credentials: 'omit', redirect: 'error',
  });
  if (!response.ok) {
    throw new Refusal(response.status, await response.json().catch(() => null));
  }
  return response;
}

export async function get(path) {
  return (await send(path, {})).json();
}

export async function post(path, body) {
  const response = await send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** The master says something each 2 seconds; when it does not for so long, the way to it is cut. */
const SILENCE_MILLIS = 15_000;

const RETRY_MILLIS = [500, 1000, 2000, 4000, 8000];

/**
 * Follows a stream of events and takes it up again when it breaks. It is read with fetch, since an
 * EventSource cannot send the token.
 *
 * @param onEvent gets name and data of each event
 * @param onState gets 'connecting', 'live', 'lost' or 'refused', and for the last the refusal
 * @returns ends it
 */
export function follow(path, onEvent, onState) {
  let ended = false;
  let attempt = 0;
  let abort = null;
  let retry = null;

  async function run() {
    retry = null;
    abort = new AbortController();
    const mine = abort;
    let watchdog = null;
    const heard = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => mine.abort(), SILENCE_MILLIS);
    };
    try {
      heard();
      const response = await send(path, { signal: mine.signal, headers: { Accept: 'text/event-stream' } });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = '';
      for (;;) {
        const { value, done } = await reader.read();
        if (done || ended) {
          break;
        }
        heard();
        const parts = (rest + value).split('\n\n');
        rest = parts.pop();
        for (const part of parts) {
          const event = parse(part);
          if (event) {
            attempt = 0;
            onState('live');
            onEvent(event.name, event.data);
          }
        }
      }
    } catch (failure) {
      if (failure instanceof Refusal && failure.status === 401) {
        ended = true;
        onState('refused', failure);
      } else if (!(failure instanceof Refusal || failure instanceof TypeError || failure.name === 'AbortError')) {
        console.error(failure);
      }
    } finally {
      clearTimeout(watchdog);
    }
    if (!ended) {
      onState('lost');
      retry = setTimeout(run, RETRY_MILLIS[Math.min(attempt++, RETRY_MILLIS.length - 1)]);
    }
  }

  const again = () => {
    // A laptop that wakes up, or a network that is back: try now rather than when the time is over.
    if (retry !== null && document.visibilityState === 'visible') {
      clearTimeout(retry);
      run();
    }
  };
  addEventListener('online', again);
  document.addEventListener('visibilitychange', again);
  onState('connecting');
  run();
  return () => {
    ended = true;
    clearTimeout(retry);
    removeEventListener('online', again);
    document.removeEventListener('visibilitychange', again);
    abort?.abort();
  };
}

function parse(part) {
  let name = 'message';
  const data = [];
  for (const line of part.split('\n')) {
    if (line.startsWith('event: ')) {
      name = line.slice(7);
    } else if (line.startsWith('data: ')) {
      data.push(line.slice(6));
    }
  }
  return data.length ? { name, data: JSON.parse(data.join('\n')) } : null;
}
