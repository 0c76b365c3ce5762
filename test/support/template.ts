import { openDatabase } from '../../server/store/driver/open-database.js'
import { migrate } from '../../server/store/schema/migrate.js'
import type { Teardown } from './services.js'

export const templateName = 'template_organization'
const templateSchema = 'organization'

/**
 * Creates the database `templateName` with an empty organization, from which `copyTemplate` makes others: a copy costs a fifth of the
 * migrations.
 */
export async function createTemplate(databaseUrl: string): Promise<void> {
  const sql = openDatabase(databaseUrl, 'public', 1)
  await sql`create database ${sql(templateName)}`
  await sql.end()
  await migrate(addressOf(databaseUrl, templateName), templateSchema)
}

/** Creates a database with an empty organization in the schema `name`; it is dropped after the test. Returns its address. */
export async function copyTemplate(t: Teardown, databaseUrl: string, template: string, name: string): Promise<string> {
  const server = openDatabase(databaseUrl, 'public', 1)
  await server.unsafe(`create database ${name} template ${template} strategy file_copy`)
  t.teardown(async () => {
    await server.unsafe(`drop database ${name} with (force)`)
    await server.end()
  })
  const url = addressOf(databaseUrl, name)
  const sql = openDatabase(url, 'public', 1)
  await sql.unsafe(`alter schema ${templateSchema} rename to ${name}`)
  await sql.end()
  return url
}

function addressOf(databaseUrl: string, database: string): string {
  const url = new URL(databaseUrl)
  url.pathname = database
  return url.href
}
