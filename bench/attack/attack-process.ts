import { serve } from '../lib/serve.js'
import type { Attack, AttackCount, Attacking, Means } from './attack-protocol.js'
import { Client } from './client.js'
import { requestAttacks } from './request-attacks.js'
import { startSlowHosts } from './slow-hosts.js'
import { transferAttacks } from './transfer-attacks.js'

const sets = { requests: requestAttacks, transfers: transferAttacks }

// All attackers run in this process: each makes one attack after the other until the process is killed.
const counts = new Map<string, Count>()

type Count = { -readonly [Key in keyof AttackCount]: AttackCount[Key] }

serve(async ({ open }: { readonly open?: Attacking }) => {
  if (open) {
    const attacks = attacksOf(open)
    const means = { channelName: open.channelName, hosts: await startSlowHosts() }
    open.accounts.forEach((_, i) => void attackOn(open, attacks, means, i))
  }
  return { attacks: Object.fromEntries(counts) satisfies Record<string, AttackCount> }
})

function attacksOf({ set, only }: Attacking): readonly (readonly [string, Attack])[] {
  const attacks = Object.entries(sets[set]).filter(([name]) => name.includes(only))
  if (attacks.length === 0) throw new Error(`no attack has ${only} in its name`)
  return attacks
}

async function attackOn(
  { server, accounts }: Attacking,
  attacks: readonly (readonly [string, Attack])[],
  means: Means,
  number: number,
): Promise<never> {
  const account = accounts[number]
  if (!account) throw new Error(`there is no attacker ${number}`)
  const client = new Client(server, `127.0.2.${number + 1}`, account)
  for (let turn = number; ; turn++) {
    const [name, attack] = attacks[turn % attacks.length] as (typeof attacks)[number]
    countsOf(name)
    try {
      for (const { status } of await attack(client, means)) count(name, status)
    } catch (error) {
      // A closed connection counts as a refusal.
      if (!('code' in (error as Error))) throw error
      count(name, 400)
    }
  }
}

/** Of an attack that has begun: on a slow machine one may last longer than the test. */
function countsOf(name: string) {
  const found = counts.get(name) ?? { requests: 0, refused: 0, left: 0, badGateways: 0 }
  counts.set(name, found)
  return found
}

function count(name: string, status: number): void {
  const found = countsOf(name)
  found.requests++
  if (status >= 400) found.refused++
  if (status === 0) found.left++
  if (status === 502) found.badGateways++
}
