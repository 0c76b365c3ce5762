import { machine } from '../lib/machine.js'
import { questions } from '../lib/questions.js'
import type { Result, Target } from '../lib/result.js'
import { othersShare } from '../lib/statistics.js'
import type { FanOutOptions } from './options.js'
import { type PeerName, peerNames } from './peer.js'
import { type Mode, modeNames, modes } from './runs.js'
import { type FanOutFound, figuresIn, summaryIn, tableOf } from './table.js'

const limits: Record<Mode, number> = { oneAtATime: 1.15, eightInFlight: 2, paced: 2 }
const redisLimit = 0.1

export function fanOutResult(options: FanOutOptions, all: readonly FanOutFound[]): Result {
  const { queues, codecs, peers, deliveries, rounds, workers, text, ack } = options
  return {
    scenario: 'fanout',
    question: questions.fanout,
    machine: machine(),
    options: {
      queues: queues.join(),
      codec: codecs.join(),
      peers: peers.join(),
      deliveries,
      rounds,
      workers,
      text,
      ack,
    },
    othersShare: othersShare(all.flatMap(figuresIn)),
    notes: [
      'Microseconds are CPU time (user + system) per delivered event; every queue got every event once and in order.',
      'Each server sends the same bytes, which ours sent while warming up; socket.io adds its own few.',
    ],
    tables: all.flatMap(found => (Object.keys(modes) as Mode[]).map(mode => tableOf(found, mode))),
    charts: (Object.keys(modes) as Mode[]).map(mode => ({
      title: `CPU of a delivery, ${modeNames[mode]}`,
      kind: 'bars',
      x: { name: 'queues' },
      y: { name: 'µs' },
      series: (Object.keys(peerNames) as PeerName[]).flatMap(name => {
        const points = all.flatMap(found => {
          const summary = summaryIn(found, mode, name)
          return summary ? [[`${found.queues} ${found.codec}`, summary.sumUs] as const] : []
        })
        return points.length > 0 ? [{ name: peerNames[name], points }] : []
      }),
    })),
    targets: all.flatMap(targetsOf),
  }
}

function targetsOf(found: FanOutFound): Target[] {
  const { queues, codec } = found
  // With few queues, the costs per message dominate those per delivery.
  if (queues < 1000) return []
  const which = `${queues} queues, ${codec}`
  const ours = (mode: Mode) => summaryIn(found, mode, 'parley')
  const targets: Target[] = (Object.keys(modes) as Mode[]).map(mode => ({
    what: `CPU of all processes per delivery, ${which}, ${modeNames[mode]}`,
    limit: limits[mode],
    found: ours(mode)?.timesFloor ?? Number.NaN,
    is: 'atMost',
    unit: '× floor',
  }))
  targets.push({
    what: `Redis CPU per delivery, ${which}, one event at a time`,
    limit: redisLimit,
    found: ours('oneAtATime')?.redisUs ?? Number.NaN,
    is: 'atMost',
    unit: 'µs',
  })
  for (const peer of ['ws', 'socketio'] as const) {
    const theirs = summaryIn(found, 'oneAtATime', peer)
    if (!theirs) continue
    targets.push({
      what: `cheaper than ${peerNames[peer]}: ${which}, one event at a time`,
      limit: 1,
      found: (ours('oneAtATime')?.timesFloor ?? Number.NaN) / theirs.timesFloor,
      is: 'atMost',
      unit: '× its cost',
    })
  }
  return targets
}
