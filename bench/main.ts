import { fanOut } from './scenarios/fan-out.js'
import { groups } from './scenarios/groups.js'
import { messages } from './scenarios/messages.js'
import { presence } from './scenarios/presence.js'
import { register } from './scenarios/register.js'
import { subscribe } from './scenarios/subscribe.js'
import { topics } from './scenarios/topics.js'

/** A scenario answers one question; it reads its own arguments. */
const scenarios: Readonly<Record<string, (args: string[]) => Promise<void>>> = {
  fanout: fanOut,
  register,
  subscribe,
  groups,
  topics,
  presence,
  messages,
}

const [name = '', ...args] = process.argv.slice(2)
const scenario = scenarios[name.replaceAll('-', '')]
if (!scenario) {
  console.error(`Usage: npm run bench -- <${Object.keys(scenarios).join(' | ')}> [options]; see bench/README.md.`)
  process.exit(2)
}
try {
  await scenario(args)
  process.exit(0)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.BENCH_STACK) console.error(error)
  process.exit(1)
}
