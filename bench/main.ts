import { fanOut } from './scenarios/fan-out.js'

/** A scenario answers one question; it reads its own arguments. */
const scenarios: Readonly<Record<string, (args: string[]) => Promise<void>>> = { fanout: fanOut }

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
