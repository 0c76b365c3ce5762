// Asks the browser for a passkey, and sends what it signs with the form of the page.
const form = document.querySelector('form[data-options]')
const options = JSON.parse(form.dataset.options)
const bytes = text => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), one => one.charCodeAt(0))
const text = buffer =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')

async function ask() {
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: (options.allowCredentials ?? []).map(one => ({ ...one, id: bytes(one.id) })),
  }
  const { id, rawId, type, response } = await navigator.credentials.get({ publicKey })
  form.elements.credential.value = JSON.stringify({
    id,
    rawId: text(rawId),
    type,
    response: {
      clientDataJSON: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : undefined,
    },
  })
  form.submit()
}

form.addEventListener('submit', event => {
  event.preventDefault()
  // A person who closes the window of the browser stays on the page.
  ask().catch(error => console.info(String(error)))
})
if (form.dataset.now) form.requestSubmit()
