import type { AttackCount, Calling } from './attack-protocol.js'
import { attacks } from './attacks.js'
import { Client } from './client.js'

// All attackers run in this process: each makes one attack after the other until the process is killed.
const counts = new Map<string, { requests: number; refused: number; longestMs: number }>()

process.on('message', (command: { readonly open?: Calling & { readonly only: string } }) => {
  const { open } = command
  if (open) open.accounts.forEach((_, i) => void attackOn(open, namesWith(open.only), i))
  process.send?.({ ok: true, attacks: Object.fromEntries(counts) satisfies Record<string, AttackCount> })
})
process.on('disconnect', () => process.exit(0))

function namesWith(part: string): readonly string[] {
  const names = Object.keys(attacks).filter(name => name.includes(part))
  if (names.length === 0) throw new Error(`no attack has ${part} in its name`)
  return names
}

async function attackOn(
  { port, accounts, channelName }: Calling,
  names: readonly string[],
  number: number,
): Promise<never> {
  const account = accounts[number]
  if (!account) throw new Error(`there is no attacker ${number}`)
  const client = new Client(port, `127.0.2.${number + 1}`, account)
  for (let turn = number; ; turn++) {
    const name = names[turn % names.length] as string
    try {
      for (const { status, ms } of (await attacks[name]?.(client, channelName)) ?? []) count(name, status, ms)
    } catch (error) {
      // A closed connection counts as a refusal.
      if (!('code' in (error as Error))) throw error
      count(name, 400, 0)
    }
  }
}

function count(name: string, status: number, ms: number): void {
  const found = counts.get(name) ?? { requests: 0, refused: 0, longestMs: 0 }
  found.requests++
  if (status >= 400) found.refused++
  found.longestMs = Math.max(found.longestMs, ms)
  counts.set(name, found)
}
