const notes: Readonly<Record<string, readonly number[]>> = {
  service: [784, 1047],
  ding: [1319],
}
const noteSeconds = 0.14
const loudness = 0.12

/** Plays one of the sounds; another name plays the first. Before the user's first action in the page the browser is silent. */
export async function playSound(name: string): Promise<void> {
  if (name === 'none') return
  const context = new AudioContext()
  if (context.state !== 'running') {
    await context.close()
    return
  }
  const played = notes[name] ?? notes.service ?? []
  for (const [index, frequency] of played.entries()) {
    const begin = context.currentTime + index * noteSeconds
    const gain = context.createGain()
    gain.gain.setValueAtTime(loudness, begin)
    gain.gain.exponentialRampToValueAtTime(0.0001, begin + 2 * noteSeconds)
    const oscillator = context.createOscillator()
    oscillator.frequency.value = frequency
    oscillator.connect(gain).connect(context.destination)
    oscillator.start(begin)
    oscillator.stop(begin + 2 * noteSeconds)
    if (index === played.length - 1) oscillator.onended = () => void context.close()
  }
}
