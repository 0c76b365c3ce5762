import t from 'tap'
import { Views } from '../../server/realtime/encoding/views.js'
import { PollConsumer, SocketConsumer } from '../../server/realtime/queues/consumer.js'
import { LogProgress } from '../../server/realtime/queues/log-progress.js'
import { Queue } from '../../server/realtime/queues/queue.js'
import { OptionsPool } from '../../server/realtime/queues/queue-options.js'
import { ShownTransactions } from '../../server/realtime/queues/shown-transactions.js'
import { FakeSocket, plainView } from './rig.js'

const options = new OptionsPool(new Views()).take({
  view: plainView,
  eventTypes: null,
  narrow: null,
  allPublicStreams: false,
  idleSeconds: 600,
})
const registered = () => Queue.registered('q', 1, options, { newest: 160, now: 1000 })
const taken = { epoch: 2, born: 16, acked: 32, issued: 64, shown: null, loggedUpto: 48, hasLog: true, from: 160 }
const takenOver = () => Queue.takenOver('q', 1, options, { taken, now: 1000 })
const poll = () => new PollConsumer('q', false, { answered() {}, failed() {} })

const transitions: Record<string, (queue: Queue) => void> = {
  exclude: queue => queue.exclude(new ShownTransactions('5:5:')),
  keepOnly: queue => queue.keepOnly([]),
  stored: queue => queue.stored(160, 1000),
  backfilled: queue => queue.backfilled([], 0),
  consumeBy: queue => queue.consumeBy(poll(), 1000),
  end: queue => queue.end('gone'),
}

/** A queue in each state, with the transitions that are allowed there and the states to which they lead. */
const states: Record<string, { make: () => Queue; allowed: Record<string, string> }> = {
  new: { make: registered, allowed: { exclude: 'new', keepOnly: 'new', stored: 'live', end: 'gone' } },
  loading: { make: takenOver, allowed: { backfilled: 'live', end: 'gone' } },
  live: {
    make: () => {
      const queue = registered()
      queue.stored(160, 1000)
      return queue
    },
    allowed: { stored: 'live', consumeBy: 'live', end: 'gone' },
  },
  gone: {
    make: () => {
      const queue = registered()
      queue.end('moved')
      return queue
    },
    allowed: {},
  },
}

for (const [state, { make, allowed }] of Object.entries(states)) {
  t.test(`a queue that is ${state} makes the transitions of its table, and any other throws`, async t => {
    t.equal(make().state, state)
    for (const [name, transition] of Object.entries(transitions)) {
      const queue = make()
      const next = allowed[name]
      if (next === undefined) t.throws(() => transition(queue), new RegExp(`is ${state}, not`), name)
      else transition(queue)
      t.equal(queue.state, next ?? state, name)
    }
  })
}

t.test('a queue has one consumer at a time', async t => {
  const queue = registered()
  queue.stored(160, 1000)
  const socket = new SocketConsumer(new FakeSocket(), -1)
  queue.consumeBy(socket, 2000)
  t.throws(() => queue.consumeBy(poll(), 2000), /already has a consumer/)
  t.throws(() => queue.answered(160), /no waiting poll/)
  socket.caughtUp()
  queue.release(5000)
  t.equal(queue.consumer, null)
  t.notOk(socket.isLive, 'a socket stops')
  t.equal(queue.idleSince, 5000, 'and the idle timeout starts at its end')
  queue.release(6000)
  t.equal(queue.idleSince, 5000, 'which it keeps')
  queue.consumeBy(poll(), 7000)
  queue.append(176)
  queue.answered(176)
  t.same([queue.consumer, queue.issued, queue.idleSince], [null, 176, 7000])
})

t.test('a queue that was taken over continues where its former owner was', async t => {
  const queue = takenOver()
  t.same([queue.acked, queue.issued, queue.issuedElsewhere, queue.log.upto, queue.log.debt], [32, 64, 160, 48, 'write'])
  queue.append(176)
  queue.backfilled([48, 64, 176], 48)
  t.same(queue.idsAfter(0), [48, 64, 176])
  queue.acknowledge(64)
  t.same([queue.idsAfter(0), queue.issuedElsewhere], [[176], -1])
})

t.test('the log owes what was required while a write was running', async t => {
  const log = new LogProgress(160, true, 'nothing', 0)
  log.require()
  t.equal(log.start(), 'write')
  t.equal(log.debt, 'nothing')
  log.requireAgain(80)
  log.written(320, true, 9000)
  t.same([log.upto, log.debt, log.renewAt], [80, 'repeat', 9000], 'the write may be lost, too')
  t.equal(log.start(), 'repeat')
  log.require()
  log.failed('repeat')
  t.equal(log.debt, 'repeat')
  t.equal(log.start(), 'repeat')
  log.failed('nothing')
  t.equal(log.debt, 'nothing')
  log.written(320, false, 9000)
  t.same([log.upto, log.exists], [320, false])
  log.completeUpto(160)
  t.equal(log.upto, 320)
})
