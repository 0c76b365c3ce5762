import { createTransport, type SendMailOptions } from 'nodemailer'

/** Sends a mail by SMTP to a server of this machine. The code and the text of its answer; code 0: there was none. */
export async function sendMailTo(
  port: number | undefined,
  mail: SendMailOptions,
): Promise<{ code: number; text: string }> {
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true })
  try {
    const { response } = await transport.sendMail({ subject: 'Re: plans', ...mail })
    return { code: Number(response.slice(0, 3)), text: response }
  } catch (error) {
    const { responseCode, message } = error as Error & { responseCode?: number }
    return { code: responseCode ?? 0, text: message }
  } finally {
    transport.close()
  }
}
