import { getSession } from './get-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export const sessionRoutes = [signIn, getSession, signOut];
