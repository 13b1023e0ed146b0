// Sends the requests that it is told of, one after the other: mono client.exe byDefault|recipe.
using System;
using System.Collections.Generic;

public class Call {
  public string Name, Method, Url, Body, Key, Look;
}

public static class Worker {
  public static void Main(string[] args) {
    string line;
    while ((line = Console.ReadLine()) != null) {
      string[] fields = line.Split('\t');
      Call call = new Call {
        Name = fields[0], Method = fields[1], Url = fields[2], Body = fields[3], Key = fields[4], Look = fields[5],
      };
      try {
        if (args[0] == "recipe") Client.Recipe(call);
        else Client.ByDefault(call);
        Console.WriteLine("done");
      } catch (Exception error) {
        Console.WriteLine("failed: " + error.GetBaseException().Message.Replace('\n', ' '));
      }
    }
    Environment.Exit(0);
  }
}
