import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { Bystanders, type Stalls } from '../../../bench/lib/bystanders.js'
import { usageBelow } from '../../../bench/lib/cpu.js'
import { measured } from '../../../bench/lib/measured.js'
import { readOptions } from '../../../bench/lib/options.js'
import { makeAccounts } from '../../../bench/lib/people.js'
import { RealServer } from '../../../bench/lib/real-server.js'
import { type Undo, undone } from '../../../bench/lib/undo.js'
import { hashPassword } from '../../../server/auth/passwords.js'

// What others notice while people sign in at the page at once: `node dist/test/http/account-pages/measure-sign-ins.js [--people 50]
// [--workers 2] [--rounds 5]`. Bystanders, one of whom sends a message every 20 ms, wait as long at rest as the sign-ins take. Each round
// is five times all people at once.
const options = readOptions(process.argv.slice(2), { people: 50, workers: 2, rounds: 5 })
const timesInRound = 5
const restMs = 4_000
const password = 'correct horse battery staple'

const rounded = (figures: Readonly<Record<string, number>>): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value.toFixed(1)}`)
    .join(', ')
const waits = ({ medianDelivery, p99Delivery, longestDelivery, longestSend }: Stalls): string =>
  rounded({ p50: medianDelivery, p99: p99Delivery, longest: longestDelivery, send: longestSend })

await undone(async (undo: Undo) => {
  const server = await RealServer.started(undo, { WORKERS: String(options.workers) })
  const sql = postgres(server.setting('DATABASE_URL'), { max: 1, connection: { search_path: 'parley' } })
  undo.push(() => sql.end())
  const [owner, ...others] = await makeAccounts(server, options.people + 10)
  if (!owner) throw new Error('the organization has no owner')
  const bystanders = await Bystanders.start(undo, server, [owner, ...others.splice(-9)])
  await sql`update users set password_hash = ${await hashPassword(password)} where not is_bot`

  const origin = `http://127.0.0.1:${server.port}`
  const signIn = async (username: string): Promise<number> => {
    const begin = performance.now()
    const { status } = await fetch(`${origin}/login/`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
      headers: { Origin: origin, Accept: 'text/html' },
      redirect: 'manual',
    })
    if (status !== 302) throw new Error(`a sign-in was answered with ${status}`)
    return performance.now() - begin
  }
  for (let round = 0; round < options.rounds; round++) {
    await bystanders.stalls()
    await sleep(restMs)
    const rest = await bystanders.stalls()
    const loads = [process.pid, bystanders.pid]
    const { found, usage, elapsedMs, othersShare } = await measured(
      { used: () => usageBelow(server.pid), loads },
      async () => {
        const times: number[] = []
        for (let time = 0; time < timesInRound; time++)
          times.push(...(await Promise.all(others.map(({ email }) => signIn(email)))))
        return times
      },
    )
    const meanwhile = await bystanders.stalls()
    const longest = Math.max(...found)
    const cpu = (usage.server + usage.postgres + usage.redis) / found.length / 1000
    console.log(
      `${found.length} sign-ins: ${rounded({ seconds: elapsedMs / 1000, 'longest ms': longest, 'CPU ms': cpu, 'others %': othersShare * 100 })}`,
    )
    console.log(`  deliveries in ms: at rest ${waits(rest)}; meanwhile ${waits(meanwhile)}`)
  }
})
