global using Post.Model;
global using Xunit;
