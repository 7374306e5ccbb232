import { Controller, Get, Header, Req } from "@nestjs/common";
import type { Request } from "express";

@Controller()
export class AppController {
  @Get()
  home(@Req() request: Request) {
    const signOut = request.auth.user === null ? "" : ' <a href="/api/auth/logout">Sign out</a>';
    return `<a href="/private">Private page</a>${signOut}`;
  }

  @Get("private")
  @Header("Content-Type", "text/plain")
  hello(@Req() request: Request) {
    const { user } = request.auth.require();
    return `Hello ${user.name ?? user.sub}`;
  }
}
