import { attack } from './attack/attack.js'
import { fanOut } from './fan-out/fan-out.js'
import { files } from './files/files.js'
import { growth } from './growth/growth.js'
import { idle } from './idle/idle.js'
import { latency } from './latency/latency.js'
import type { ScenarioName } from './lib/questions.js'
import { lone } from './lone/lone.js'
import { longPoll } from './longpoll/longpoll.js'
import { personal } from './personal/personal.js'
import { registers } from './registers/registers.js'
import { groups } from './requests/groups.js'
import { memory } from './requests/memory.js'
import { messages } from './requests/messages.js'
import { narrows } from './requests/narrows.js'
import { presence } from './requests/presence.js'
import { register } from './requests/register.js'
import { render } from './requests/render.js'
import { subscribe } from './requests/subscribe.js'
import { topics } from './requests/topics.js'
import { resume } from './resume/resume.js'
import { send } from './send/send.js'
import { soak } from './soak/soak.js'
import { start } from './start/start.js'

/** A scenario answers one question; it parses its own arguments. */
export interface Scenario {
  readonly run: (args: string[]) => Promise<void>
  /** Options for a run of less than a minute that shows that the scenario works; its figures mean little. */
  readonly quick: readonly string[]
  /** Not part of `all`, because its duration is an argument. */
  readonly isEndless?: boolean
}

const smallOrganization = ['--users=300', '--channels=40', '--messages=3000', '--rounds=1', '--seconds=1']

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  fanout: { run: fanOut, quick: ['--queues=100', '--deliveries=3000', '--rounds=1'] },
  growth: { run: growth, quick: ['--queues=20,100', '--deliveries=2000', '--rounds=1'] },
  longpoll: { run: longPoll, quick: ['--queues=100', '--events=50', '--rounds=1'] },
  send: { run: send, quick: ['--subscribers=300', '--connected=20', '--seconds=1', '--rounds=1'] },
  lone: { run: lone, quick: ['--seconds=1', '--rounds=1'] },
  personal: { run: personal, quick: ['--users=100', '--polls=10', '--seconds=1', '--rounds=1', '--receipts=20'] },
  idle: { run: idle, quick: ['--queues=200', '--settle=1', '--seconds=2'] },
  resume: { run: resume, quick: ['--clients=200', '--behind=10', '--rounds=1'] },
  latency: { run: latency, quick: ['--readers=5', '--events=200', '--rounds=1'] },
  register: { run: register, quick: smallOrganization },
  registers: { run: registers, quick: smallOrganization },
  presence: { run: presence, quick: smallOrganization },
  subscribe: { run: subscribe, quick: smallOrganization },
  groups: { run: groups, quick: smallOrganization },
  topics: { run: topics, quick: smallOrganization },
  messages: { run: messages, quick: smallOrganization },
  narrows: { run: narrows, quick: [...smallOrganization, '--only=word'] },
  memory: { run: memory, quick: smallOrganization },
  render: { run: render, quick: smallOrganization },
  start: { run: start, quick: ['--messages=3000', '--rounds=1', '--rest=1'] },
  files: { run: files, quick: ['--megabytes=2', '--together=4', '--downloads=50', '--photographs=3', '--rounds=1'] },
  attack: { run: attack, quick: ['--clients=6', '--minutes=0.2'], isEndless: true },
  soak: { run: soak, quick: ['--minutes=0.2', '--rate=10', '--readers=20'], isEndless: true },
}
