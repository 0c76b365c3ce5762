import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RedisNode, until } from './redis-node.js'
import type { Teardown } from './services.js'

const slots = 16_384

/** A Redis Cluster on loopback: several masters with the requested number of replicas each. */
export class RedisCluster {
  private constructor(
    readonly nodes: readonly RedisNode[],
    private readonly directory: string,
  ) {}

  static async start({ masters = 3, replicas = 0 } = {}): Promise<RedisCluster> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-cluster-'))
    const password = randomBytes(12).toString('hex')
    const ports = await freePorts(2 * masters * (1 + replicas))
    const nodes = Array.from({ length: masters * (1 + replicas) }, (_, i) => {
      return new RedisNode(ports[2 * i] as number, ports[2 * i + 1] as number, join(directory, String(i)), password)
    })
    const cluster = new RedisCluster(nodes, directory)
    try {
      await Promise.all(nodes.map(node => node.start()))
      await cluster.join(masters)
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** In the form of REDIS_URL. */
  get url(): string {
    return this.nodes.map(({ port, password }) => `redis://:${password}@127.0.0.1:${port}`).join(',')
  }

  /** The reachable master of a slot, as the other nodes see it. */
  async masterOf(slot: number): Promise<RedisNode | undefined> {
    for (const node of this.nodes) {
      const [role] = (await node.command('ROLE').catch(() => '')).split('\n')
      if (role === 'master' && covers(await ownSlots(node), slot)) return node
    }
    return undefined
  }

  async slotOf(key: string): Promise<number> {
    return Number(await this.alive().then(node => node.command('CLUSTER', 'KEYSLOT', key)))
  }

  /** The replicas of a master. */
  async replicasOf(master: RedisNode): Promise<RedisNode[]> {
    const isReplica = async (node: RedisNode) => {
      const [role, , port] = (await node.command('ROLE').catch(() => '')).split('\n')
      return role === 'slave' && Number(port) === master.port
    }
    const found = await Promise.all(this.nodes.map(isReplica))
    return this.nodes.filter((_, i) => found[i])
  }

  /** Moves a slot to another master while both serve requests, as `redis-cli --cluster reshard` does. */
  async moveSlot(slot: number, to: RedisNode): Promise<void> {
    const from = await this.masterOf(slot)
    if (!from || from === to) return
    const [fromId, toId] = await Promise.all([from, to].map(node => node.command('CLUSTER', 'MYID')))
    const number = String(slot)
    await to.command('CLUSTER', 'SETSLOT', number, 'IMPORTING', fromId as string)
    await from.command('CLUSTER', 'SETSLOT', number, 'MIGRATING', toId as string)
    for (;;) {
      const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', number, '20')).split('\n').filter(Boolean)
      if (keys.length === 0) break
      const address = ['127.0.0.1', String(to.port), '', '0', '5000']
      await from.command('MIGRATE', ...address, 'AUTH', to.password, 'KEYS', ...keys)
    }
    for (const node of [to, from]) await node.command('CLUSTER', 'SETSLOT', number, 'NODE', toId as string)
  }

  /** Whether every node answers, reports a working cluster and has a copy of its master's data. */
  async isWhole(): Promise<boolean> {
    for (const node of this.nodes) {
      const info = await node.command('CLUSTER', 'INFO').catch(() => '')
      const role = await node.command('ROLE').catch(() => '')
      if (!info.includes('cluster_state:ok') || !/^(master|slave\n.*\n.*\nconnected)/.test(role)) return false
    }
    return true
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map(node => node.kill()))
    await rm(this.directory, { recursive: true, force: true })
  }

  private async alive(): Promise<RedisNode> {
    for (const node of this.nodes) if ((await node.command('PING').catch(() => '')) === 'PONG') return node
    throw new Error('no node of the cluster is alive')
  }

  private async join(masters: number): Promise<void> {
    const [first, ...others] = this.nodes as [RedisNode, ...RedisNode[]]
    for (const [i, node] of this.nodes.entries()) {
      await node.command('CLUSTER', 'SET-CONFIG-EPOCH', String(i + 1))
      const [from, to] = [i, i + 1].map(n => Math.floor((n * slots) / masters)) as [number, number]
      if (i < masters) await node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to - 1))
    }
    for (const { port, busPort } of others) {
      await first.command('CLUSTER', 'MEET', '127.0.0.1', String(port), String(busPort))
    }
    const knowsAll = async (node: RedisNode) =>
      (await node.command('CLUSTER', 'NODES')).split('\n').filter(line => !line.includes('handshake')).length ===
      this.nodes.length
    for (const node of this.nodes) await until(() => knowsAll(node))
    const ids = await Promise.all(this.nodes.map(node => node.command('CLUSTER', 'MYID')))
    for (const [i, node] of this.nodes.entries()) {
      const master = ids[i % masters] as string
      if (i >= masters)
        await until(() =>
          node.command('CLUSTER', 'REPLICATE', master).then(
            reply => reply === 'OK',
            () => false,
          ),
        )
    }
    await until(() => this.isWhole())
  }
}

/** Three masters with a replica each, stopped after the test. */
export async function redisCluster(t: Teardown, replicas = 1): Promise<RedisCluster> {
  const cluster = await RedisCluster.start({ masters: 3, replicas })
  t.teardown(() => cluster.stop())
  return cluster
}

/** The slot ranges of a node, from its line in CLUSTER NODES. */
async function ownSlots(node: RedisNode): Promise<string[]> {
  const lines = (await node.command('CLUSTER', 'NODES')).split('\n')
  return (
    lines
      .find(line => line.includes('myself'))
      ?.split(' ')
      .slice(8) ?? []
  )
}

function covers(ranges: readonly string[], slot: number): boolean {
  return ranges.some(range => {
    const [from, to = from] = range.split('-').map(Number)
    return slot >= (from as number) && slot <= (to as number)
  })
}

/** Ports below the range of outgoing connections, so that a stopped node keeps its port. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>()
  while (ports.size < count) {
    const port = 15_000 + Math.floor(Math.random() * 17_000)
    const probe = createServer().listen({ port, host: '127.0.0.1', exclusive: true })
    try {
      await once(probe, 'listening')
      ports.add((probe.address() as AddressInfo).port)
      probe.close()
    } catch {
      // The port is in use: try another one.
    }
  }
  return [...ports]
}
