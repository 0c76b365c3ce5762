import postgres from 'postgres'
import type { StoreAddress } from './store-address.js'

// As many connections as the server has for messages and for other queries.
const connections = 10

/**
 * The minimum work to store a message: one insert with one statement, into a table with the columns and indexes of the
 * server's, in the same PostgreSQL and with the same driver.
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
