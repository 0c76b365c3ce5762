import fc from 'fast-check'
import t from 'tap'
import { areas } from '../../server/api/index.js'
import { openApiDocument } from '../../server/openapi/document.js'
import { Checker } from '../support/fuzz/checker.js'
import { Fuzzer } from '../support/fuzz/fuzzer.js'
import { type FuzzedOperation, operationAt, operationsOf, type Schema } from '../support/fuzz/operations.js'
import { requestsTo } from '../support/fuzz/requests.js'
import { startServer } from '../support/server.js'

const document: Schema = openApiDocument(areas, { brand: 'service', url: '/api/v1' })
const operations = operationsOf(document)
const operationOf = (id: string) => operations.find(one => one.id === id) as FuzzedOperation
const json = 'application/json'
const answer = (status: number, body: object) => ({ status, contentType: json, text: JSON.stringify(body) })
const success = { result: 'success', msg: '' }
const error = { result: 'error', msg: 'No.' }

t.test('the checker finds an answer that the document does not have', async t => {
  const checker = new Checker(document)
  const problemsOf = (status: number, body: object) =>
    checker.problemsOf(operationOf('get_stream_id'), answer(status, body))
  t.same(problemsOf(200, { ...success, stream_id: 5 }), [])
  t.same(problemsOf(400, { ...error, code: 'BAD_REQUEST' }), [])
  t.match(problemsOf(200, { ...success, stream_id: 'x' }), [/stream_id must be integer/])
  t.match(problemsOf(200, { ...success, stream_id: 5, name: 'x' }), [/name/])
  t.match(problemsOf(400, { ...error, code: 'UNAUTHORIZED' }), [/code/], 'a code of another status')
  t.match(problemsOf(400, { ...error, code: 'REACTION_ALREADY_EXISTS' }), [/code/], 'a code of another operation')
  t.match(problemsOf(409, { ...error, code: 'BAD_REQUEST' }), [/no status 409/])
  t.match(problemsOf(500, { ...error, code: 'INTERNAL_ERROR' }), [/status 500/], 'also a documented one')
  t.match(problemsOf(503, { ...error, code: 'SERVER_NOT_READY' }), [/status 503/])
  const page = { status: 200, contentType: 'text/html', text: '<p>' }
  t.match(checker.problemsOf(operationOf('get_stream_id'), page), [/of type text\/html/])
  t.same(checker.problemsOf(undefined, answer(404, { ...error, code: 'NOT_FOUND' })), [])
  const refused = answer(401, { ...error, code: 'UNAUTHORIZED' })
  t.match(checker.problemsOf(undefined, refused, 'PUT'), [/status 401 of what is not there/])
  t.same(checker.problemsOf(undefined, refused, 'POST'), [], 'its form may name another method')
  t.match(checker.problemsOf(undefined, answer(200, success)), [/status 200 of what is not there/])
})

t.test('a request belongs to the path without a parameter, before one with a parameter', async t => {
  t.equal(operationAt(operations, 'GET', '/users/me')?.id, 'get_own_user')
  t.equal(operationAt(operations, 'GET', '/users/5')?.id, 'get_user')
  t.equal(operationAt(operations, 'GET', '/streams/5/members')?.id, 'get_subscribers')
  t.equal(operationAt(operations, 'GET', '/user_groups/5/members/6')?.id, 'get_is_user_group_member')
  t.equal(operationAt(operations, 'DELETE', '/user_uploads/1/a/b'), undefined)
  t.equal(operationAt(operations, 'GET', '/user_uploads/1/a/b')?.id, 'get_file_temporary_url')
})

t.test('a wrong schema of the document is found by the requests, and the smallest request is shown', async t => {
  const server = await startServer(t)
  const owner = await server.person({ role: 100 })
  const wrong: Schema = structuredClone(document)
  const place = wrong.paths['/users/me/alert_words'].post
  place.responses[200].content[json].schema.properties.alert_words = {
    type: 'array',
    items: { type: 'string', maxLength: 3 },
  }
  const found = await check(document)
  t.equal(found.failed, false, String(found.errorInstance))
  const { counterexample, errorInstance } = await check(wrong)
  t.match(String(errorInstance), /alert_words\/\d+ must NOT have more than 3 characters.*\ncurl -X POST -u 'owner'/s)
  t.same(counterexample?.[0].changes, [], 'an honest request is enough')

  async function check(of: Schema) {
    const known = operationsOf(of)
    const fuzzer = new Fuzzer(known, new Checker(of), {
      url: server.url,
      credentialsOf: async caller => (caller === 'owner' ? owner.who : null),
      honest: () => ({ alert_words: ['release'] }),
    })
    const operation = known.find(({ id }) => id === 'add_alert_words') as FuzzedOperation
    const property = fc.asyncProperty(requestsTo(operation, of), request => fuzzer.send(operation, request))
    return fc.check(property, { seed: 5, numRuns: 60 })
  }
})
