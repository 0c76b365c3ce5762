import postgres from 'postgres'
import type { StoreAddress } from './store-address.js'

// As many as the server has for messages and for all else.
const connections = 10

/**
 * What a bare server does to keep a message: one row with one statement, in a table like the server's own, with its
 * columns and indexes, in the same PostgreSQL. The driver is the server's.
 */
export class BareStore {
  readonly #sql: postgres.Sql

  private constructor(sql: postgres.Sql) {
    this.#sql = sql
  }

  static async open({ url, socket: path }: StoreAddress): Promise<BareStore> {
    const sql = postgres(url, { path, max: connections, onnotice: () => {} })
    await sql`create schema if not exists floor`
    await sql`create table if not exists floor.messages (like parley.messages including all)`
    return new BareStore(sql)
  }

  async insert(senderId: number, channelId: number, content: string): Promise<number> {
    const [row] = await this.#sql<{ id: string }[]>`
      insert into floor.messages (sender_id, channel_id, topic, content, rendered_content, renderer_version, client)
      values (${senderId}, ${channelId}, 'measurement', ${content}, ${`<p>${content}</p>`}, 1, 'ParleyBench')
      returning id`
    return Number(row?.id)
  }
}
