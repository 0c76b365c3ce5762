// Twenty accounts that send the most expensive pictures, uploads, lists and addresses of other hosts that they can, and OPTIONS without an
// account, behind the documented nginx: nothing ends, no answer is missing, and the memory of all processes stays bounded. What others wait
// meanwhile is a figure of `npm run bench -- attack --set transfers`.
import t from 'tap'
import { runAttack } from '../../bench/attack/run-attack.js'
import { transferAttacks } from '../../bench/attack/transfer-attacks.js'
import type { Undo } from '../../bench/lib/undo.js'
import { missing } from '../support/nginx.js'

const seconds = Number(process.env.ATTACK_SECONDS ?? 30)
const mostBytes = 1e9

t.test('members who attack the service do not take it from others', { skip: missing }, async t => {
  const undo: Undo = []
  t.teardown(async () => {
    for (const stop of undo.reverse()) await stop()
  })
  const found = await runAttack(undo, {
    set: 'transfers',
    only: '',
    clients: 20,
    honestClients: 10,
    seconds,
    workers: 2,
  })
  const { attacked, attacks, ended, mostOfAll } = found
  t.comment(`${attacked.all.calls} honest requests, p99 of sends ${attacked.kinds.send?.p99.toFixed(0)} ms`)
  t.comment(JSON.stringify(attacks))
  t.same(Object.keys(attacks).sort(), Object.keys(transferAttacks).sort(), 'each attack was made')
  t.same(attacked.failed, {}, 'every request of the others succeeded')
  const badGateways = Object.entries(attacks).filter(([, { badGateways }]) => badGateways > 0)
  t.same(badGateways, [], 'the proxy always had an answer to pass on')
  t.equal(ended, 0, 'no worker was replaced')
  t.ok(mostOfAll <= mostBytes, `${Math.round(mostOfAll / 1e6)} MB of all processes together`)
})
