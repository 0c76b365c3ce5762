// Asks the server of this machine whether it is ready to serve, with the settings that the server has; ends with 0 if it is.
const { HOST = '127.0.0.1', PORT = '9991', TLS_CERT } = process.env
// Listening everywhere is reached by loopback; `fetch` wants the brackets that HOST has not.
const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '[::1]' : HOST.includes(':') ? `[${HOST}]` : HOST
// The certificate is for the name that clients use, not for this address; nothing secret is said here.
if (TLS_CERT) process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
const address = `${TLS_CERT ? 'https' : 'http'}://${host}:${PORT}/health/ready`
try {
  const { ok, status } = await fetch(address, { signal: AbortSignal.timeout(2500) })
  if (!ok) console.error(`${address} says ${status}`)
  process.exitCode = ok ? 0 : 1
} catch (error) {
  console.error(`${address}: ${error.cause?.message ?? error.message}`)
  process.exitCode = 1
}
