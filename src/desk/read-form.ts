import type { HonoRequest } from 'hono';
import { HTTPException } from 'hono/http-exception';

/**
 * Reads the body of a form.
 * @throws {HTTPException} 400 if it can't be parsed, such as a multipart body without its boundary
 */
export async function readForm(req: HonoRequest): Promise<Awaited<ReturnType<HonoRequest['parseBody']>>> {
  try {
    return await req.parseBody();
  } catch (error) {
    // Other errors, such as a body that is too large, are handled elsewhere.
    if (!(error instanceof TypeError)) throw error;
    throw new HTTPException(400, { message: DAMAGED, cause: error });
  }
}

const DAMAGED = 'This form arrived incomplete. Go back, reload the page, and send it again.\n';
