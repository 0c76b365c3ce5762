import postgres from 'postgres'

/** The address by which the server reaches a database; a floor uses the same, because another transport has other costs. */
export interface StoreAddress {
  readonly url: string
  /** A Unix socket that replaces the host and port of the URL. */
  readonly socket?: string
}

// As many connections as the server has for messages and for other queries.
const connections = 10

/**
 * The minimum work to store a message: one insert of one row with one statement, into a table with the three indexes that a chat needs
 * (by id, by channel and topic, by sender), in the same PostgreSQL and with the same driver.
 */
export class BareStore {
  private constructor(private readonly sql: postgres.Sql) {}

  static async open({ url, socket: path }: StoreAddress): Promise<BareStore> {
    const sql = postgres(url, { path, max: connections, onnotice: () => {} })
    await sql`create schema if not exists floor`
    await sql`
      create table if not exists floor.messages (
        id bigint primary key generated always as identity,
        sender_id int not null,
        channel_id int not null,
        topic text not null,
        content text not null,
        rendered_content text not null,
        date_sent timestamptz not null default now(),
        client text not null
      )`
    await sql`create index if not exists of_topic on floor.messages (channel_id, lower(topic), id)`
    await sql`create index if not exists of_sender on floor.messages (sender_id, id)`
    return new BareStore(sql)
  }

  async insert(senderId: number, channelId: number, content: string): Promise<number> {
    const [row] = await this.sql<{ id: string }[]>`
      insert into floor.messages (sender_id, channel_id, topic, content, rendered_content, client)
      values (${senderId}, ${channelId}, 'measurement', ${content}, ${`<p>${content}</p>`}, 'ParleyBench')
      returning id`
    return Number(row?.id)
  }
}
