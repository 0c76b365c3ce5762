import { type ChildProcess, spawn } from 'node:child_process'
import t, { type Test } from 'tap'
import { DecodeTurns } from '../../server/supervisor/decode-turns.js'
import { typeOf } from '../../server/supervisor/worker-process.js'
import { until } from '../http/until.js'

// Sends what it is told to send, and that it has the turn.
const worker = `process.on('message', ({ type, send }) => process.send({ type: type === 'decode-turn' ? 'has-turn' : send }))`

/** A process in place of a worker; `turns` counts those that it got. */
function start(t: Test, turns: DecodeTurns) {
  const child = spawn(process.execPath, ['-e', worker], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  t.teardown(() => child.kill('SIGKILL'))
  turns.add(child)
  const got = {
    child,
    turns: 0,
    wants: () => tell(child, 'decode-turn-wanted'),
    ends: () => tell(child, 'decode-turn-ended'),
  }
  child.on('message', message => {
    if (typeOf(message) === 'has-turn') got.turns++
  })
  return got
}

/** Makes the process send a message, and waits for it. */
function tell(child: ChildProcess, type: string): Promise<void> {
  return new Promise(resolve => {
    const heard = (message: unknown) => {
      if (typeOf(message) !== type) return
      child.off('message', heard)
      resolve()
    }
    child.on('message', heard)
    child.send({ send: type })
  })
}

t.test('one of four workers decodes at a time, in the order in which they asked', async t => {
  const turns = new DecodeTurns(4)
  const [first, second, third] = [start(t, turns), start(t, turns), start(t, turns)]
  await first.wants()
  await until(() => first.turns === 1)
  await third.wants()
  await second.wants()
  t.same([second.turns, third.turns], [0, 0])
  await first.ends()
  await first.wants()
  await until(() => third.turns === 1)
  await third.ends()
  await until(() => second.turns === 1)
  t.equal(first.turns, 1)
  await second.ends()
  await until(() => first.turns === 2)
})

t.test('two of five workers decode at a time', async t => {
  const turns = new DecodeTurns(5)
  const [first, second, third] = [start(t, turns), start(t, turns), start(t, turns)]
  for (const one of [first, second, third]) await one.wants()
  await until(() => first.turns === 1 && second.turns === 1)
  t.equal(third.turns, 0)
  await second.ends()
  await until(() => third.turns === 1)
})

t.test('a worker that dies loses its turn, and its place in the line', async t => {
  const turns = new DecodeTurns(1)
  const [first, second, third] = [start(t, turns), start(t, turns), start(t, turns)]
  await first.wants()
  await second.wants()
  await third.wants()
  second.child.kill('SIGKILL')
  await new Promise(resolve => second.child.once('disconnect', resolve))
  first.child.kill('SIGKILL')
  await until(() => third.turns === 1)
})
