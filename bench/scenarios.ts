import { attack } from './attack/attack.js'
import { fanOut, latency, longPoll } from './fan-out/fan-out.js'
import { files } from './files/files.js'
import { idle } from './idle/idle.js'
import type { Result } from './lib/result.js'
import { lone } from './lone/lone.js'
import { memory } from './requests/memory.js'
import { messages } from './requests/messages.js'
import { narrows } from './requests/narrows.js'
import { register } from './requests/register.js'
import { render } from './requests/render.js'
import { resume } from './resume/resume.js'
import { send } from './send/send.js'
import { soak } from './soak/soak.js'
import { start } from './start/start.js'
import { writes } from './writes/writes.js'

type Scenario = { readonly run: (args: string[]) => Promise<Result>; readonly question: string }

/** By their names on the command line: each answers one question, and parses its own arguments. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  fanout: { run: fanOut, question: 'What does it cost to deliver a message to a client, next to the least possible?' },
  longpoll: { run: longPoll, question: 'What does it cost to answer a waiting poll, next to bare parked responses?' },
  latency: { run: latency, question: 'How long does a message take from sender to reader, at half load?' },
  send: { run: send, question: 'What does it cost to send a message, and how many are committed in a second?' },
  lone: { run: lone, question: 'What does a message cost that is alone: few a second, without deliveries?' },
  writes: {
    run: writes,
    question: 'What do the common writes cost beside a send, and how long do they wait for PostgreSQL?',
  },
  idle: { run: idle, question: 'What does an idle client cost: memory for socket and queue, CPU for heartbeats?' },
  resume: { run: resume, question: 'How long does it take until all clients are live again after a worker died?' },
  register: { run: register, question: 'What does the start of a client cost, in a large organization?' },
  messages: { run: messages, question: 'What does a page of messages of a channel or a topic cost?' },
  narrows: { run: narrows, question: 'What does a page of messages cost that must be searched for?' },
  memory: { run: memory, question: 'What does a request cost that a server can answer from its memory?' },
  render: { run: render, question: 'What does it cost to render a usual message, and the worst ones?' },
  start: {
    run: start,
    question: 'How long does a start with a long history take, and how much memory has the worker?',
  },
  files: { run: files, question: 'What do uploads, downloads and thumbnails cost, and what do others notice of them?' },
  attack: { run: attack, question: 'What do honest clients notice while others make the dearest requests they can?' },
  soak: {
    run: soak,
    question: 'Does anything grow, get lost or come twice while all kinds of traffic go on for long?',
  },
}
