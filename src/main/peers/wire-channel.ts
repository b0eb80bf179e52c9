import type { ErrorMessage, WireErrorCode, WireMessage } from '#shared/wire/messages.ts';
import type { Log } from '../engine/ports.ts';
import { createListeners } from './create-listeners.ts';
import type { LinkError } from './peer-link.ts';
import type { Timers } from './timers.ts';
import { DEAD_AFTER_MS, watchLiveness } from './watch-liveness.ts';
import { decodeWireMessage, encodeWireMessage } from './wire-codec.ts';
import type { WireSocket } from './wire-socket.ts';

export interface WireChannelDeps {
  readonly socket: WireSocket;
  readonly timers: Timers;
  readonly log: Log;
}

/** A socket that speaks in messages. After its end nothing is sent and nothing heard any more. */
export interface WireChannel {
  /** `whenSent` is called once the bytes have left this process. */
  readonly send: (message: WireMessage, whenSent?: () => void) => void;
  /** Tells the peer what is wrong, fatally, and ends for the reason given. */
  readonly fail: (code: WireErrorCode, facts: ErrorMessage['facts'], why: LinkError) => void;
  /** Says goodbye and ends. With a code the peer is told why; it may come again. */
  readonly leave: (why: LinkError, code?: WireErrorCode) => void;
  readonly ended: () => LinkError | null;
  /** Told once; at once when it has ended already. */
  readonly onEnd: (listener: (why: LinkError) => void) => () => void;
}

/**
 * Turns a socket into a channel. Bytes that are no message end it; a link that died silently ends it too.
 *
 * `receive` hears messages in order, in the turn in which they arrive, and the names of types that nobody knows.
 */
export function openWireChannel(
  deps: WireChannelDeps,
  receive: { readonly message: (message: WireMessage) => void; readonly stranger: (type: string) => void },
): WireChannel {
  const { socket, log } = deps;
  const ends = createListeners<LinkError>();
  let ended: LinkError | null = null;
  const stopWatch = watchLiveness({ ...deps, ...socket }, () => {
    socket.cut();
    end({ code: 'timed-out', afterMs: DEAD_AFTER_MS });
  });
  socket.listen({ message: hear, nonsense: isNoMessage, closed: end });

  return { send, fail, leave, ended: () => ended, onEnd };

  function hear(bytes: Uint8Array): void {
    if (ended !== null) return;
    try {
      const decoded = decodeWireMessage(bytes);
      if (decoded.ok) receive.message(decoded.value);
      else if (decoded.error.code === 'unknown-message') receive.stranger(decoded.error.found);
      else isNoMessage(decoded.error.message);
    } catch (bug) {
      log.error('peers.receive-threw', { bug });
      fail('internal', {}, { code: 'internal' });
    }
  }

  function isNoMessage(detail: string): void {
    fail('bad-message', { detail }, { code: 'bad-peer', detail });
  }

  function send(message: WireMessage, whenSent?: () => void): void {
    if (ended !== null) return;
    const bytes = encodeWireMessage(message);
    if (bytes.ok) {
      socket.send(bytes.value, whenSent);
      return;
    }
    // Only a page that holds one value of nearly this size can be meant: the peer is told instead of cut off.
    log.error('peers.message-too-large', { type: message.type, bytes: bytes.error.bytes });
    send(
      { type: 'error', code: 'message-too-large', fatal: false, facts: { bytes: bytes.error.bytes } },
      whenSent,
    );
  }

  function fail(code: WireErrorCode, facts: ErrorMessage['facts'], why: LinkError): void {
    if (ended !== null) return;
    send({ type: 'error', code, fatal: true, facts });
    socket.close(1008);
    end(why);
  }

  function leave(why: LinkError, code?: WireErrorCode): void {
    if (ended !== null) return;
    if (code !== undefined) send({ type: 'error', code, fatal: false, facts: {} });
    socket.close(code === undefined ? 1000 : 1001);
    end(why);
  }

  function end(why: LinkError): void {
    if (ended !== null) return;
    ended = why;
    stopWatch();
    ends.tell(why);
  }

  function onEnd(listener: (why: LinkError) => void): () => void {
    if (ended === null) return ends.add(listener);
    listener(ended);
    return () => undefined;
  }
}
