import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { Acknowledgements, ackDelay } from '../../../shared/client/acknowledgements.js'

const long = 60_000

t.test('several events are acknowledged together, by the last one', async t => {
  const acknowledged: number[] = []
  const acks = new Acknowledgements(id => acknowledged.push(id), { events: 3, ms: long })
  for (const id of [16, 32]) acks.handled(id)
  t.same(acknowledged, [])
  acks.handled(48)
  t.same(acknowledged, [48])
  acks.handled(64)
  t.same(acknowledged, [48])
  acks.flush()
  acks.flush()
  t.same(acknowledged, [48, 64], 'nothing twice')
})

t.test('what has waited long enough is acknowledged', async t => {
  const acknowledged: number[] = []
  const acks = new Acknowledgements(id => acknowledged.push(id), { events: 1000, ms: 20 })
  acks.handled(16)
  acks.handled(32)
  while (acknowledged.length === 0) await sleep(5)
  t.same(acknowledged, [32])
})

t.test('a heartbeat is acknowledged at once, and all before it with it', async t => {
  const acknowledged: number[] = []
  const acks = new Acknowledgements(id => acknowledged.push(id), { events: 1000, ms: 20 })
  acks.handled(16)
  acks.handled(17, true)
  t.same(acknowledged, [17])
  await sleep(50)
  t.same(acknowledged, [17], 'nothing is left to tell')
})

t.test('an attach reports the position: only events handled later are acknowledged afterwards', async t => {
  const acknowledged: number[] = []
  const acks = new Acknowledgements(id => acknowledged.push(id), { events: 1000, ms: long })
  acks.handled(32)
  acks.restart(16, 32)
  acks.flush()
  t.same(acknowledged, [32])
  acks.restart(32)
  acks.flush()
  t.same(acknowledged, [32])
})

t.test('the pause is within half of its bound and the bound', async t => {
  const pauses = Array.from({ length: 1000 }, () => ackDelay(3000))
  t.ok(pauses.every(ms => ms >= 1500 && ms < 3000))
  t.ok(new Set(pauses).size > 900)
})
